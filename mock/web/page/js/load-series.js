// Series over slots of time: what was known, and what came since.

// joined is an answer of GET load that ends where fresh does, its older part out of known (an earlier result of
// joined, or null). It is one slot shorter than want: the one that isn't over yet is left out. Series have names and
// rates.
export function joined(known, fresh, want) {
  const now = Math.floor(Date.parse(fresh.now) / fresh.step_ms); // the slot that isn't over
  const slots = want - 1, first = now - slots;
  const join = (name, was, is) => {
    const keys = Object.keys(is ?? was).filter((key) => key !== "rate" && Array.isArray((is ?? was)[key]));
    const empty = (key) => !is?.[key].length && !was?.[key].length;
    const one = (key, slot) => {
      const nothing = key.endsWith("_ms") ? null : 0;
      if (slot >= fresh.first) return is?.[key][slot - fresh.first] ?? nothing;
      return was?.[key]?.[slot - known.first] ?? nothing;
    };
    const series = Object.fromEntries(keys.map((key) => [key, empty(key) ? [] : Array.from({ length: slots }, (_, i) => one(key, first + i))]));
    return { ...series, name, rate: series.started.map((n) => (n * 1000) / fresh.step_ms) };
  };
  const of = (routes) => new Map((routes ?? []).map((r) => [r.name ?? `${r.scenario} · ${r.route}`, r]));
  const was = of(known?.routes), is = of(fresh.routes);
  const sum = ({ started }) => started.reduce((a, b) => a + b, 0);
  const routes = [...new Set([...was.keys(), ...is.keys()])].map((name) => join(name, was.get(name), is.get(name)))
    .filter((r) => sum(r) > 0 || r.concurrency.some((n) => n > 0)).sort((a, b) => sum(b) - sum(a));
  return { ...fresh, first, slots, total: join("All requests", known?.total, fresh.total), routes };
}
