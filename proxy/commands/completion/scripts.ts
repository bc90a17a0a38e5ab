/** Completion scripts by shell. Each asks `mcp-inspect completion words` for the words, and falls back to files. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `# mcp-inspect completion bash > ~/.local/share/bash-completion/completions/mcp-inspect
_mcp_inspect() {
  local IFS=$'\\n'
  COMPREPLY=($(mcp-inspect completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _mcp_inspect mcp-inspect`,
  ],
  [
    'zsh',
    `#compdef mcp-inspect
# mcp-inspect completion zsh > "\${fpath[1]}/_mcp-inspect"
_mcp_inspect() {
  local -a found
  found=("\${(@f)$(mcp-inspect completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} == 0 )); then _files; return; fi
  compadd -- \${found:#*=}
  compadd -S '' -- \${(M)found:#*=}
}
compdef _mcp_inspect mcp-inspect`,
  ],
  [
    'fish',
    `# mcp-inspect completion fish > ~/.config/fish/completions/mcp-inspect.fish
function __mcp_inspect_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    mcp-inspect completion words -- $before[2..-1] "$current" 2>/dev/null
end
complete -c mcp-inspect -a '(__mcp_inspect_words)'`,
  ],
]);
