import { Component, type ReactNode } from 'react';

/** What could not be drawn, and another try. */
export interface RenderFailure {
  /** As it was thrown. */
  readonly error: unknown;
  readonly retry: () => void;
}

interface GuardProps {
  readonly fallback: ReactNode | ((failed: RenderFailure) => ReactNode);
  readonly children: ReactNode;
  /** What is drawn: of something else another try is made. */
  readonly about?: string;
}

interface GuardState {
  readonly about?: string;
  /** What was thrown. */
  readonly failed?: { readonly error: unknown };
}

/** Shows `fallback` when what a server sent cannot be drawn (nested too deep for a parser, say), instead of losing the page. */
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
