import { type CoverageApi, job, sourceFile } from '../coverage-api.ts';
import { type Attack, atMost } from './attack.ts';

const TEXTS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '" onmouseover="alert(1)',
  '](javascript:alert(1)) <!--',
  '\u202egpj.exe\u2066',
  '\u001b[31m\u0000\u200b',
];
/** What a page or badge would hold if a text were not escaped. */
const UNESCAPED = /<img|<script>alert|" onmouseover=|href="javascript:|(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Names that are HTML, Markdown, terminal codes or hidden characters, on every page and in the badge. */
export const hostileTexts: Attack = {
  name: 'hostile-texts',
  async run(start) {
    const { api, token, server } = await start();
    const headers = { authorization: `token ${server.adminToken}`, accept: 'text/html' };
    const unescaped: string[] = [];
    const open: string[] = [];
    let pages = 0;
    for (const [index, text] of TEXTS.entries()) {
      for (const path of await pagesWith(text, { api, token, number: String(100 + index) })) {
        const page = await api.send(path, { headers });
        pages += 1;
        if (page.status >= 500 || UNESCAPED.test(page.text)) unescaped.push(path);
        if (!page.headers.get('content-security-policy')?.includes("default-src 'none'")) open.push(path);
      }
    }
    const attack = `${TEXTS.length} hostile texts as every name on ${pages} pages and badges`;
    return [
      atMost(0, { attack, of: 'unescaped', measured: unescaped.length, unit: 'pages' }),
      atMost(0, { attack, of: 'without a policy', measured: open.length, unit: 'pages' }),
    ];
  },
};

interface Upload {
  readonly api: CoverageApi;
  readonly token: string;
  readonly number: string;
}

/** Uploads a job whose names are all that text; answers where they are shown. */
async function pagesWith(text: string, { api, token, number }: Upload): Promise<readonly string[]> {
  const head = { message: text, author_name: text, committer_name: text, author_email: text };
  const {
    status,
    text: answer,
    json,
  } = await api.uploadJob({
    ...job({ repo_token: token, service_number: number, flag_name: text }),
    service_name: text,
    service_job_id: text,
    service_build_url: `javascript:${text}`,
    commit_sha: text,
    git: { branch: text, head },
    source_files: [sourceFile(text, [1, 0], { source: `${text}\n${text}` })],
  });
  if (status !== 200) throw new Error(`the upload was answered ${status}: ${answer}`);
  const id = json.url.slice(json.url.lastIndexOf('/') + 1);
  const { build } = (await api.jobJson(id)).json;
  const quoted = encodeURIComponent(text);
  return [
    `/builds/${build}`,
    `/jobs/${id}`,
    '/manual/acme/shop',
    `/manual/acme/shop?branch=${quoted}`,
    `/builds/${build}/source_files`,
    `/builds/${build}/source?filename=${quoted}`,
    `/builds/${quoted}`,
    `/nowhere/${quoted}`,
    `/repos/manual/acme/shop/badge.svg?branch=${quoted}&flag=${quoted}`,
  ];
}
