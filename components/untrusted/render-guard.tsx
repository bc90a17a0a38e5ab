import { Component, type ReactNode } from 'react';

interface GuardProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
  /** What is drawn: of something else another try is made. */
  readonly about?: string;
}

/** Shows `fallback` when what a server sent cannot be drawn (nested too deep for a parser, say), instead of losing the page. */
export class RenderGuard extends Component<GuardProps, { readonly failed: boolean; readonly about?: string }> {
  override state = { failed: false, about: this.props.about };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  static getDerivedStateFromProps({ about }: GuardProps, state: { readonly about?: string }) {
    return about === state.about ? null : { failed: false, about };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
