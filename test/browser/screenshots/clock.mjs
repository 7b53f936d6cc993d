// Loaded before a server or a command (`node --import`): its clock starts at CLOCK, so that pictures show the same
// times. With CLOCK_STANDS it stays there.
const { now } = Date;
const start = Date.parse(process.env.CLOCK);
const shift = start - Math.round(now() - process.uptime() * 1_000);
Date.now = process.env.CLOCK_STANDS ? () => start : () => now() + shift;
