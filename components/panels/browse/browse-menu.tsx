import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { hasTasks } from '../tasks/task-terms';

/** Leads to what belongs to no entry: the tasks that the server runs. */
export function BrowseMenu({ log, label }: { readonly log: Log; readonly label: string }) {
  const running = useLogState(log, ({ tasks }) => tasks.running);
  const tasks = useLogState(log, hasTasks);
  if (!tasks) return null;
  return (
    <Menu
      label={label}
      items={() => [
        {
          label: running > 0 ? `Tasks (${formatCount(running)} running)` : 'Tasks',
          run: () => navigate({ panel: 'tasks', item: undefined }),
        },
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}
