import type { ReactNode } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { type RenderFailure, RenderGuard } from '@/components/untrusted/render-guard';

/** A part of the page: if it can't be drawn, the others stay. */
export function PartBoundary(props: {
  /** As a sentence begins with it. */
  readonly name: string;
  /** What is drawn in it: of something else another try is made. */
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
    message: `${name} could not be drawn.`,
    advice: 'Nothing is lost: what came is kept as it came. Try again, and report the error if it stays.',
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto p-3">
      <ErrorNote failure={failure} quote={String(error)} codeless>
        <Button size="small" onClick={retry}>
          Try again
        </Button>
        <CopyButton label="Copy the error" text={() => textOf(error)} />
      </ErrorNote>
    </div>
  );
}

/** With the places in the code, where an engine tells them. */
function textOf(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}
