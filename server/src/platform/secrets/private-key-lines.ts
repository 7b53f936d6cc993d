import { createPrivateKey } from 'node:crypto';

/** The lines of a private key (PEM) in both forms that RSA keys are kept in: a part of it may be shown alone. */
export function privateKeyLines(pem: string): readonly string[] {
  const key = createPrivateKey(pem);
  const forms = (['pkcs1', 'pkcs8'] as const).map((type) => key.export({ type, format: 'pem' }).toString());
  return forms.flatMap((form) => form.split('\n')).filter((line) => line !== '' && !line.startsWith('-----'));
}
