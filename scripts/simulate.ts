// Simulates what the rules state of chance, and fails where both disagree. Usage: node scripts/simulate.ts flipping
import { simulateFlipping, simulateStable } from '../test/support/simulate/flipping.ts';

const [what] = process.argv.slice(2);
if (what !== 'flipping') {
  console.error(`There is no simulation ${JSON.stringify(what ?? '')}. Usage: npm run simulate -- flipping`);
  process.exit(2);
}
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const shares = simulateFlipping();
console.log('Lines that flip, found by their changes of state');
for (const { what: line, stated, found, agrees } of shares)
  console.log(`  ${line}: ${percent(found)}, stated ${percent(stated)}${agrees ? '' : ': they disagree'}`);
const stable = simulateStable();
console.log('Stable lines that are taken for flipping, of 100,000');
for (const { rate, most, found } of stable) console.log(`  true changes at ${rate} a build: ${found}, at most ${most}`);
if (!shares.every(({ agrees }) => agrees) || stable.some(({ found, most }) => found > most)) process.exitCode = 1;
