// The story of a pull request at a git host that is no stand-in: npm run real-host -- gitea --binary /usr/bin/gitea, or
// at one that runs already: --url http://127.0.0.1:3000 --admin name:password.
import { parseArgs } from 'node:util';
import { runRealHost } from '../test/support/real-host/run-real-host.ts';

const { values, positionals } = parseArgs({
  options: {
    binary: { type: 'string' },
    files: { type: 'string' },
    url: { type: 'string' },
    admin: { type: 'string' },
  },
  allowPositionals: true,
});
process.exitCode = await runRealHost(positionals, values, console.log);
