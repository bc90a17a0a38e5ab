import { headerSecrets, urlSecrets } from '@/lib/hub/url-secrets';
import { secretsGiven, variableSecrets } from '@/lib/redact/given-values';
import type { Launch } from './launch';

/** What a server was given and nobody else should see: values of variables, flags, headers and parameters that are named so, or look like it. */
export function launchSecrets(launch: Launch): readonly string[] {
  if (launch.transport !== 'stdio') return urlSecrets(launch);
  return [...launch.secrets, ...variableSecrets(launch.env), ...secretsGiven(launch.args), ...inHeaders(launch.args)];
}

/** `--header "X-Auth: …"`, of programs that go on to a URL. */
function inHeaders(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = /^([^:\s]{1,100}):\s*(.+)$/.exec(arg) ?? [];
    return /^(?:-H|--headers?)$/.test(args[at - 1] ?? '') ? headerSecrets(name, value) : [];
  });
}
