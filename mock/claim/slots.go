package claim

import (
	"math"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// stretched are gatherers that look at a run where its measured stretch begins and ends: at the
// first and at the last measured arrival.
type stretched interface {
	begin(r *run.Run, at time.Time)
	end(r *run.Run, at time.Time)
}

// utilization is the part of the slots' time that was taken, over the measured stretch (R19).
type utilization struct {
	profile   string
	busy, all time.Duration
	begun     time.Time
	before    time.Duration
}

func (u *utilization) add(*row) {}
func (u *utilization) fresh()   {}

func (u *utilization) of(r *run.Run, at time.Time) (busy time.Duration, slots int) {
	for _, c := range r.Capacity(at) {
		if u.profile == "" || c.Queue.Profile == u.profile {
			busy, slots = busy+c.Busy, slots+c.Queue.Slots
		}
	}
	return busy, slots
}

func (u *utilization) begin(r *run.Run, at time.Time) {
	u.before, _ = u.of(r, at)
	u.begun = at
}

func (u *utilization) end(r *run.Run, at time.Time) {
	busy, slots := u.of(r, at)
	u.busy += busy - u.before
	u.all += at.Sub(u.begun) * time.Duration(slots)
}

func (u *utilization) figure() float64 {
	if u.all == 0 {
		return math.NaN()
	}
	return float64(u.busy) / float64(u.all)
}

// gpuSeconds is the GPUs' time that the measured requests used, by the slots they held.
type gpuSeconds struct {
	profile string
	seconds float64
}

func (g *gpuSeconds) add(r *row) {
	h, ok := r.decision.Hold()
	if !ok || g.profile != "" && h.Queue.Profile != g.profile || h.Until >= timeline.Never {
		return
	}
	g.seconds += (h.Until - h.From).Seconds() * float64(h.Queue.GPUs) / float64(h.Queue.Slots)
}

func (g *gpuSeconds) fresh()          {}
func (g *gpuSeconds) figure() float64 { return g.seconds }

// busy makes what tells of the scenario's slots.
func (g *gathering) busy(spec *scenario.Gather) gatherer {
	if spec.Name == "gpu_seconds" {
		made := &gpuSeconds{profile: spec.Profile}
		g.requests = append(g.requests, made)
		return made
	}
	made := &utilization{profile: spec.Profile}
	g.stretches = append(g.stretches, made)
	return made
}
