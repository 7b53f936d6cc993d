// Loaded before a server or a command (`node --import`): its clock starts at CLOCK, so that pictures show the same times.
const { now } = Date;
const shift = Date.parse(process.env.CLOCK) - Math.round(now() - process.uptime() * 1_000);
Date.now = () => now() + shift;
