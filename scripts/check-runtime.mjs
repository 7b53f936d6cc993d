// Plain JavaScript, so that even an old Node can run it and say the one line that matters.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `This needs Node 24 or later, but ${process.execPath} is Node ${process.versions.node}. ` +
      'On Linux `npm ci` brings it (optional packages must not be left out); elsewhere install Node 24.',
  );
  process.exit(1);
}
