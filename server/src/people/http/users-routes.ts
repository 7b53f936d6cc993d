import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import { Failure } from '../../core/failure.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { findAccount, listAccounts, type ManageAccounts, manageAccounts } from '../manage-accounts.ts';
import { renderUsersPage } from '../pages/users-page.tsx';
import { nameIssuer } from '../sign-in-elsewhere.ts';
import { leadToSignIn } from './account-routes.ts';

type Change = (manage: ManageAccounts, account: Parameters<ManageAccounts['setDisabled']>[0]) => Promise<void>;

const CHANGES: Readonly<Record<string, Change>> = {
  disable: (manage, account) => manage.setDisabled(account, true),
  enable: (manage, account) => manage.setDisabled(account, false),
  promote: (manage, account) => manage.setAdministrator(account, true),
  demote: (manage, account) => manage.setAdministrator(account, false),
};

/** `/admin/users`: all accounts, and what administrators do with them. */
export function registerUserRoutes(router: Router, services: Services): void {
  const { pageOf, basePath } = services;

  router.get('/admin/users', async (context) => {
    if (context.state.visitor?.person === undefined) return leadToSignIn(context, basePath);
    const { account: self } = administratorOf(context);
    const after = Number(readField(context.query, 'after') ?? 0) || undefined;
    const accounts = await listAccounts(services, after);
    const shown = { accounts, self, after, nameIssuer: (issuer: string) => nameIssuer(services, issuer) };
    await sendPage(context, renderUsersPage(shown, pageOf(context)));
  });

  router.post('/admin/users/:change', takeForm(services), async (context) => {
    const { account: self, caller } = administratorOf(context);
    const name = context.params.change ?? '';
    const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
    if (change === undefined) throw new Failure('not-found', 'There is no such action on an account.');
    const account = await findAccount(services, formOf(context)('id'));
    if (account.id === self.id)
      throw new Failure(
        'forbidden',
        'Only another administrator can change your account, so that at least one is always left.',
      );
    await change(manageAccounts(services, caller), account);
    leadTo(context, `${basePath}/admin/users`);
  });
}

/** Throws a Failure `credential-missing` or `forbidden`. */
function administratorOf(context: Context) {
  const person = personOf(context);
  if (person.caller.role === 'administrator') return person;
  throw new Failure('forbidden', 'Only administrators of this server may see and change accounts.');
}
