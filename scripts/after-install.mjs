// The C headers of the Node that npm brings are 67 MB, for modules that are compiled: nothing here is.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

for (const cpu of ['x64', 'arm64'])
  rmSync(join(import.meta.dirname, `../node_modules/node-linux-${cpu}/include`), { recursive: true, force: true });
