import type { ServerResponse } from 'node:http';

/**
 * Ends a response of which the client has read nothing for `limit` ms, between that and twice as long. A socket's own
 * timeout sees each part of a write that goes out; a response that is still being worked out waits for nobody.
 */
export function endStalled(response: ServerResponse, limit: number): void {
  response.setTimeout(limit, () => {
    const { socket } = response;
    if (socket === null || socket.writableLength > 0) response.destroy();
    else socket.setTimeout(limit);
  });
}
