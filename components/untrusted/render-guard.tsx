import { Component, type ReactNode } from 'react';

/** Shows `fallback` when what a server sent cannot be drawn (nested too deep for a parser, say), instead of losing the page. */
export class RenderGuard extends Component<{ readonly fallback: ReactNode; readonly children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
