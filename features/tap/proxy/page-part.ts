import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { ownContext } from '@/proxy/servers/discovery';
import { installRoutes } from './install/install-routes';
import { TapWatch } from './tap-watch';

/** Shows the taps of this user, and changes the configs of hosts. */
export function serve({ hub, version, home, confirmation }: PageCore): PagePart {
  const taps = new TapWatch(ownRecordingsFolder(), (tap, source) => void hub.showTap(tap, source));
  return {
    routes: installRoutes({
      installer: async () => {
        const { Installer } = await import('./install/installer');
        return new Installer({
          folder: ownRecordingsFolder(),
          program: { home, version, node: process.execPath, platform: process.platform },
          uid: process.getuid?.(),
        });
      },
      context: ownContext(),
      confirm: confirmation && ((...change) => confirmation.confirmConfig(...change)),
    }),
    start: () => taps.start(),
    close: async () => taps.stop(),
  };
}
