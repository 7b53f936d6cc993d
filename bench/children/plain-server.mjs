// What the service is compared with: a server of one thread. node plain-server.mjs receive|parse
// `receive` takes bodies and does nothing with them; `parse` reads them with JSON.parse and checks what they hold.
import { createServer } from 'node:http';

const parses = process.argv[2] === 'parse';

const server = createServer((req, res) => {
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => {
    const sound = !parses || req.method === 'GET' || isSound(JSON.parse(Buffer.concat(parts).toString()));
    res.writeHead(sound ? 200 : 400).end('{}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));

function isSound({ repo_token, service_name, source_files }) {
  const isText = (value) => typeof value === 'string' && value !== '';
  return isText(repo_token) && isText(service_name) && Array.isArray(source_files) && source_files.every(isSoundFile);
}

function isSoundFile({ name, coverage, branches = [] }) {
  if (typeof name !== 'string' || name === '' || !Array.isArray(coverage) || !Array.isArray(branches)) return false;
  for (const hits of coverage) if (hits !== null && !(Number.isSafeInteger(hits) && hits >= 0)) return false;
  for (const part of branches) if (!(Number.isSafeInteger(part) && part >= 0)) return false;
  return branches.length % 4 === 0;
}
