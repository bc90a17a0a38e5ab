import type { ReactNode } from 'react';
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

function PartFailed({ name, failed }: { readonly name: string; readonly failed: RenderFailure }) {
  const { error, retry } = failed;
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

/** Returns the error with its stack, if there is one. */
function textOf(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}
