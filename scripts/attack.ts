// How long others wait while the built server is attacked: npm run attack. Ends with 1 where a request waits longer
// than a second, or where the worst inputs of the pure parts take longer than their time.
import { runLongAttack } from '../test/support/fuzz/long-attack.ts';

if (!(await runLongAttack())) process.exitCode = 1;
