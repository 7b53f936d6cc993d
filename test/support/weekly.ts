/** `npm run test:weekly` also tries what takes CI too long. */
export const isWeekly = process.env.ALL_PAIRS === '1';
