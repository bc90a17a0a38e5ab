import { Component, type ReactNode } from 'react';

/** A render error, and a function that tries again. */
export interface RenderFailure {
  /** The value that was thrown. */
  readonly error: unknown;
  readonly retry: () => void;
}

interface GuardProps {
  readonly fallback: ReactNode | ((failed: RenderFailure) => ReactNode);
  readonly children: ReactNode;
  /** Identifies the content; a change makes it try again. */
  readonly about?: string;
}

interface GuardState {
  readonly about?: string;
  /** The last error. */
  readonly failed?: { readonly error: unknown };
}

/** Shows `fallback` if rendering fails, for example on data nested too deeply, instead of losing the whole page. */
export class RenderGuard extends Component<GuardProps, GuardState> {
  override state: GuardState = { about: this.props.about };

  static getDerivedStateFromError(error: unknown): GuardState {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ about }: GuardProps, state: GuardState): GuardState | null {
    return about === state.about ? null : { failed: undefined, about };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    const { fallback, children } = this.props;
    if (!failed) return children;
    if (typeof fallback !== 'function') return fallback;
    return fallback({ error: failed.error, retry: () => this.setState({ failed: undefined }) });
  }
}
