import { expect, test } from 'vitest';
import { hostOf, SESSION_HOSTS } from './lib/hosts';
import { hosts } from './page';

test('the palette finds the panel by the name of each host', () => {
  const [{ also = '' } = {}] = hosts.panels ?? [];
  for (const id of SESSION_HOSTS)
    for (const word of hostOf(id).title.replace(/^the /, '').split(' '))
      expect(also.toLowerCase()).toContain(word.toLowerCase());
});
