// Loaded before the server by NODE_OPTIONS: a bug, as one in a library could be, whose error holds what it worked with.
process.on('SIGUSR2', () => {
  const { ADMIN_TOKEN, GITHUB_APP_PRIVATE_KEY, SECRET_KEY, HTTPS_PROXY } = process.env;
  const cause = new Error(`${GITHUB_APP_PRIVATE_KEY} ${SECRET_KEY} at ${HTTPS_PROXY}`);
  const error = new Error(`cannot call with ${ADMIN_TOKEN}`, { cause });
  throw Object.assign(error, { request: { headers: { authorization: `token ${ADMIN_TOKEN}` } } });
});
