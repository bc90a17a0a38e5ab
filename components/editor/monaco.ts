import type * as Monaco from 'monaco-editor';
import { pagePath } from '@/lib/wire/page-path';
import { editorTheme } from './theme';

/** The module bundled by `scripts/build-monaco.mjs`: the editor's core and the JSON language. */
export interface MonacoModule {
  readonly editor: typeof Monaco.editor;
  readonly KeyCode: typeof Monaco.KeyCode;
  readonly Uri: typeof Monaco.Uri;
  readonly jsonDefaults: typeof Monaco.json.jsonDefaults;
}

export type CodeEditor = Monaco.editor.IStandaloneCodeEditor;

// Kept in variables, so that no bundler adds these files to the first load.
const SCRIPT = '/monaco/editor.js';
const STYLES = '/monaco/editor.css';
const JSON_WORKER = '/monaco/json.worker.js';
const EDITOR_WORKER = '/monaco/editor.worker.js';

let loading: Promise<MonacoModule> | undefined;

/** Loads the editor from our own origin on first use. After a failure, the next call tries again. */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<MonacoModule> {
  // Without this, Monaco looks for its workers at the URLs of its unbundled files.
  Object.assign(globalThis, {
    MonacoEnvironment: {
      getWorker: (_id: string, language: string) =>
        new Worker(pagePath(language === 'json' ? JSON_WORKER : EDITOR_WORKER), { type: 'module' }),
    },
  });
  const [module] = await Promise.all([
    import(/* turbopackIgnore: true */ /* webpackIgnore: true */ pagePath(SCRIPT)) as Promise<MonacoModule>,
    loadStyles(),
  ]);
  followTheme(module);
  return module;
}

function loadStyles(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = pagePath(STYLES);
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('The editor’s styles did not load.'));
    document.head.append(link);
  });
}

const THEME = 'page';

/** Keeps the editor's theme in sync with the page: the system's, or the one set on the root element. */
function followTheme({ editor }: MonacoModule): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { theme } = document.documentElement.dataset;
    editor.defineTheme(THEME, editorTheme(theme === 'dark' || (theme !== 'light' && dark.matches)));
    editor.setTheme(THEME);
  };
  apply();
  dark.addEventListener('change', apply);
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] });
}
