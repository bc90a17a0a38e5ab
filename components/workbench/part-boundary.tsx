import { type ReactNode, Suspense } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { type RenderFailure, RenderGuard } from '@/components/untrusted/render-guard';

/** Keeps a rendering error in one part of the page from affecting the others. */
export function PartBoundary(props: {
  /** The start of a sentence: `The message log`. */
  readonly name: string;
  /** Identifies the content. A new value clears the error. */
  readonly about?: string;
  readonly children: ReactNode;
}) {
  return (
    <RenderGuard about={props.about} fallback={(failed) => <PartFailed name={props.name} failed={failed} />}>
      {props.children}
    </RenderGuard>
  );
}

/**
 * Parts whose code is fetched later. If mcp-inspect ends before that, the page goes on without them, and its top line
 * says why.
 */
export function LaterParts(props: {
  /** The start of a sentence: `The notes`. */
  readonly name: string;
  readonly about?: string;
  /** Shown until the code is here. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <RenderGuard
      about={props.about}
      fallback={(failed) => !isCodeMissing(failed.error) && <PartFailed name={props.name} failed={failed} />}
    >
      <Suspense fallback={props.fallback}>{props.children}</Suspense>
    </RenderGuard>
  );
}

/** Says which part of the page failed, and what can be done. */
export function PartFailed({ name, failed }: { readonly name: string; readonly failed: RenderFailure }) {
  const { error, retry } = failed;
  if (isCodeMissing(error)) {
    const missing = {
      code: 'not-loaded',
      message: `${name} could not be loaded, because mcp-inspect did not answer.`,
      advice: 'If mcp-inspect has ended, start it again. Then reload. This tab keeps what you typed.',
    };
    return (
      <div className="min-h-0 flex-1 overflow-auto p-3">
        <ErrorNote failure={missing} codeless>
          <Button size="small" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </ErrorNote>
      </div>
    );
  }
  const failure = {
    code: 'not-drawn',
    message: `${name} could not be displayed.`,
    advice: 'No messages are lost. Try again. If it fails again, copy the error and report it.',
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto p-3">
      <ErrorNote failure={failure} quote={String(error)} codeless>
        <Button size="small" onClick={retry}>
          Try again
        </Button>
        <CopyButton label="Copy error" text={() => textOf(error)} />
      </ErrorNote>
    </div>
  );
}

/** True if the browser could not fetch code that the page loads later. */
function isCodeMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || /load chunk|dynamically imported/i.test(error.message))
  );
}

/** Returns the error with its stack, if there is one. */
function textOf(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}
