import { expect, test } from 'vitest';
import { JUDGED_HOSTS } from './lib/hosts';
import { hosts } from './page';

test('the palette finds the panel by the name of each host', () => {
  const [{ also = '' } = {}] = hosts.panels ?? [];
  for (const { title } of JUDGED_HOSTS)
    for (const word of title.replace(/^the /, '').split(' ')) expect(also.toLowerCase()).toContain(word.toLowerCase());
});
