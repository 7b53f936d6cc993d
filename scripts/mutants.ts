// Changes one comparison, condition or sum at a time, and prints the changes that no test notices:
// npm run mutants [-- <part of a file's name> ...]. Ends with 1 where one survives.
import { runMutants } from '../test/support/mutants/run-mutants.ts';

process.exit((await runMutants(process.argv.slice(2), (line) => console.log(line))) ? 0 : 1);
