const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY = 'acme/coverage-service' } = process.env;

/** Where the sources are: in a run of CI it says so itself. */
export const REPO = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

/** What the first page of the site shows above the list of docs/README.md. */
export const HOME = {
  layout: 'home',
  hero: {
    name: 'Coverage service',
    text: 'Runs on your own server',
    tagline:
      'It collects the coverage of your tests, judges it by your thresholds, and answers on the pull request. Every verdict says why.',
    actions: [
      { theme: 'brand', text: 'Start in 15 minutes', link: '/quickstart' },
      { theme: 'alt', text: 'Run it for years', link: '/deploy' },
      { theme: 'alt', text: 'What counts', link: '/rules' },
    ],
  },
  features: [
    {
      title: 'A verdict always arrives',
      details: 'Status, comment and page name the rule that decided, and what would make it pass.',
    },
    {
      title: 'Numbers that you can check',
      details: 'Lines and branches, summed and compared exactly. Late jobs are merged in.',
    },
    {
      title: 'Small, and yours',
      details: 'One process and one SQLite file are a start. Several processes on MongoDB serve more.',
    },
  ],
};
