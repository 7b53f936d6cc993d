// Attacks the built server on loopback and prints what held: npm run attack [-- <name of an attack> ...]. Ends with 1
// where something did not hold. The attacks are in test/support/attacks/attacks.ts.
import { runAttacks } from '../test/support/attacks/run-attacks.ts';

// Attackers whose server was ended leave connections behind.
process.exit((await runAttacks(process.argv.slice(2))) ? 0 : 1);
