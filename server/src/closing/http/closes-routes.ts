import type { CloseAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { headerToken } from '../../access/browser/authenticate.ts';
import type { UploaderServices } from '../../access/uploaders/uploader-services.ts';
import type { Build } from '../../core/builds/build.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import { networkOf } from '../../platform/network-of.ts';
import { requestClose } from '../request-close.ts';
import { requestRerun } from '../request-rerun.ts';
import { readClosePayload, readRerun } from './close-fields.ts';

/**
 * `POST /webhook` closes a parallel build; `GET` and `POST /rerun_build?build_num=` close one again, with the same
 * answer, JSON always (wire.md "Close").
 */
export function registerCloseRoutes(router: Router, services: UploaderServices): void {
  const { addresses, logger } = services;
  const present = ({ id, jobs }: Build): CloseAnswer => ({ done: true, url: addresses.build(id), jobs });
  const rerun = async (context: RouterContext): Promise<void> => {
    const asked = withHeaderToken(context, readRerun(context.query, context.request.body));
    const build = await requestRerun(services, { ...asked, address: networkOf(context.request.ip) });
    logger.info(describe(context, build), 'rerun requested');
    context.set('Cache-Control', 'no-store');
    context.body = present(build);
  };

  router.post('/webhook', smallBodies(), async (context) => {
    const asked = withHeaderToken(context, readClosePayload(context.query, context.request.body));
    const build = await requestClose(services, { ...asked, address: networkOf(context.request.ip) });
    logger.info(describe(context, build), 'close requested');
    context.body = present(build);
  });
  router.get('/rerun_build', rerun);
  router.post('/rerun_build', smallBodies(), rerun);
}

function describe(context: RouterContext, { id, repoId, number, jobs }: Build): object {
  return { request: context.state.requestId, repoId, build: id, number, jobs };
}

/** A token in the query or the body goes first: some clients send something else in the header. */
function withHeaderToken<Asked extends { readonly token: string | undefined }>(
  context: RouterContext,
  asked: Asked,
): Asked {
  return { ...asked, token: asked.token ?? headerToken(context) };
}
