import { bundledLanguages } from 'shiki/langs';

type LanguageId = keyof typeof bundledLanguages;

/** Endings and whole names that are no name of a language; the others are in shiki's own list, with their aliases. */
const BY_ENDING: Readonly<Record<string, LanguageId>> = {
  adb: 'ada',
  ads: 'ada',
  al: 'perl',
  axaml: 'xml',
  bzl: 'python',
  cc: 'cpp',
  cl: 'common-lisp',
  cljc: 'clojure',
  cljs: 'clojure',
  cr: 'crystal',
  csproj: 'xml',
  cu: 'cpp',
  cxx: 'cpp',
  dpr: 'pascal',
  ex: 'elixir',
  exs: 'elixir',
  frag: 'glsl',
  gradle: 'groovy',
  h: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hx: 'haxe',
  hrl: 'erlang',
  htm: 'html',
  hxx: 'cpp',
  inc: 'php',
  ino: 'cpp',
  ipp: 'cpp',
  jsm: 'javascript',
  lisp: 'common-lisp',
  litcoffee: 'coffeescript',
  m: 'objective-c',
  mk: 'make',
  ml: 'ocaml',
  mli: 'ocaml',
  mm: 'objective-cpp',
  mod: 'go',
  pas: 'pascal',
  phtml: 'php',
  pl: 'perl',
  pm: 'perl',
  pp: 'puppet',
  psm1: 'powershell',
  pyi: 'python',
  pyw: 'python',
  pyx: 'python',
  rake: 'ruby',
  rkt: 'racket',
  sc: 'scala',
  sbt: 'scala',
  scm: 'scheme',
  sol: 'solidity',
  sv: 'system-verilog',
  svh: 'system-verilog',
  tpp: 'cpp',
  vert: 'glsl',
  vhd: 'vhdl',
  vbs: 'vb',
  xaml: 'xml',
};

const BY_NAME: Readonly<Record<string, LanguageId>> = {
  'cmakelists.txt': 'cmake',
  dockerfile: 'docker',
  gemfile: 'ruby',
  jenkinsfile: 'groovy',
  makefile: 'make',
  rakefile: 'ruby',
};

/** The language of a file by its name; undefined if none is known. */
export function languageOf(name: string): LanguageId | undefined {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  if (Object.hasOwn(BY_NAME, last)) return BY_NAME[last];
  const ending = last.slice(last.lastIndexOf('.') + 1);
  if (ending === last) return undefined;
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending];
  return Object.hasOwn(bundledLanguages, ending) ? (ending as LanguageId) : undefined;
}
