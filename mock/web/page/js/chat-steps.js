// Stepping lanes by hand. Two lanes keep one time: a step goes to whatever is due first in either, and takes
// the other on by as much.

// stepLanes goes on until a token has come, or all answers have ended.
export async function stepLanes(lanes) {
  const before = tokens(lanes);
  for (let i = 0; i < mostInstants && tokens(lanes) === before && lanes.some((l) => l.busy); i++) {
    const clocks = lanes.filter((l) => l.busy).map((l) => l.clock);
    const due = await Promise.all(clocks.map((c) => c.next()));
    const times = due.filter((t) => t !== null);
    if (times.length === 0) { // the request is still on its way, or the end is
      await arrival(() => !lanes.some((l) => l.busy));
      continue;
    }
    const to = Math.min(...times);
    await Promise.all(clocks.map((clock, at) => {
      if (due[at] === to) return clock.move({ next: 1 });
      const by = to - clock.now();
      return by > 0 ? clock.move({ advance: `${Math.round(by * 1e6)}ns` }) : null;
    }));
    await arrival(() => tokens(lanes) !== before || !lanes.some((l) => l.busy));
  }
}

// An answer has a few instants without a token: its head, its start, pings, its end.
const mostInstants = 12;

const tokens = (lanes) => lanes.reduce((n, l) => n + l.timing.stamps.length, 0);

// arrival gives what the step let go the time to come through the connection.
async function arrival(came) {
  for (let i = 0; i < 8 && !came(); i++) await new Promise((resume) => { setTimeout(resume, 10); });
}
