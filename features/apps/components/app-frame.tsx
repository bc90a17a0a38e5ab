import { useEffect, useRef } from 'react';
import { pagePath } from '@/lib/wire/page-path';

interface AppFrameProps {
  /** Path at the proxy, which serves it with a policy of its own. */
  readonly path: string;
  readonly title: string;
  /** Features that the frame may use, as its `allow` attribute. */
  readonly features: string;
  readonly width: number | undefined;
  readonly height: number;
  /** Called before the app is loaded, so that its first message is not missed. Resolves to a function that ends it. */
  readonly onWindow: (app: Window) => Promise<() => void>;
}

/** The frame of an app. It has an origin of its own, which can read nothing of ours. */
export function AppFrame({ path, title, features, width, height, onWindow }: AppFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const element = frame.current!;
    let isOver = false;
    let stop = (): void => {};
    void onWindow(element.contentWindow!).then((end) => {
      stop = end;
      if (isOver) end();
      else element.src = pagePath(path);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [path, onWindow]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-scripts"
      allow={features}
      referrerPolicy="no-referrer"
      className="block w-full rounded border border-line bg-white"
      style={{ height, maxWidth: width }}
    />
  );
}
