// Figures as the page writes them. An absent one is a dash.

const none = "–";
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const absent = (n) => n === null || n === undefined || !Number.isFinite(Number(n));

// count writes a whole number: 12,345.
export function count(n) {
  return absent(n) ? none : whole.format(n);
}

// ms writes milliseconds with three figures or so: 0.21 ms, 17.0 ms, 312 ms, 1.24 s, 2 min 5 s.
export function ms(n) {
  if (absent(n)) return none;
  const size = Math.abs(n);
  if (size < 0.0005) return "0 ms";
  if (size < 9.995) return `${n.toFixed(2)} ms`;
  if (size < 99.95) return `${n.toFixed(1)} ms`;
  if (size < 999.5) return `${n.toFixed(0)} ms`;
  if (size < 59950) return `${(n / 1000).toFixed(size < 9995 ? 2 : 1)} s`;
  const seconds = Math.round(n / 1000);
  return `${Math.trunc(seconds / 60)} min ${Math.abs(seconds % 60)} s`;
}

// nanos writes nanoseconds as ms does; the journal's −1 (not sent) is a dash.
export function nanos(n) {
  return absent(n) || n < 0 ? none : ms(n / 1e6);
}

// percent writes a share from 0 to 1: 4.2 %.
export function percent(share, digits = 1) {
  return absent(share) ? none : `${(share * 100).toFixed(digits)} %`;
}

// bytes writes a size: 751 B, 14.2 kB, 3.1 MB.
export function bytes(n) {
  if (absent(n)) return none;
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

// timeOfDay writes an instant (a Date, or what Date reads) as 14:03:09.120, in the reader's time zone.
export function timeOfDay(instant) {
  const t = new Date(instant);
  if (Number.isNaN(t.getTime())) return none;
  const two = (n) => String(n).padStart(2, "0");
  return `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}.${String(t.getMilliseconds()).padStart(3, "0")}`;
}
