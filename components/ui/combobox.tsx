import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names';
import { FIELD } from './field';
import { type ComboboxOption, OptionList } from './option-list';

interface ComboboxProps {
  readonly id?: string;
  readonly text: string;
  /** While it is typed in. */
  readonly onText: (text: string) => void;
  readonly options: readonly ComboboxOption[];
  readonly onChoose: (option: ComboboxOption) => void;
  /** Called when the list is about to show. */
  readonly onOpen?: () => void;
  /** Called when the focus leaves. */
  readonly onLeave?: () => void;
  /** Shown under the options: how many there are more. */
  readonly foot?: ReactNode;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

/** A text box with a list of what could be in it. Arrow keys choose in the list, Enter takes, Esc closes it. */
export function Combobox(props: ComboboxProps) {
  const { id, text, onText, options, onChoose, onOpen, onLeave, foot, placeholder, mono = false, ...aria } = props;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const shown = open && (options.length > 0 || foot !== undefined);
  const show = () => {
    if (open) return;
    onOpen?.();
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (option: ComboboxOption) => {
    close();
    onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) show();
      else if (options.length > 0) {
        setActive((active + (event.key === 'ArrowDown' ? 1 : active < 0 ? 0 : -1) + options.length) % options.length);
      }
    } else if (event.key === 'Enter' && shown && active >= 0 && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      choose(options[active]!);
    } else if (event.key === 'Escape' && shown) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <div className="relative min-w-0 flex-1">
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        {...aria}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => {
          show();
          setActive(-1);
          onText(event.target.value);
        }}
        onClick={show}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onLeave?.();
        }}
        className={classNames(FIELD, mono && 'font-mono text-wire')}
      />
      {shown && (
        <OptionList
          id={listId}
          anchor={input.current!}
          options={options}
          active={active}
          onChoose={choose}
          foot={foot}
        />
      )}
    </div>
  );
}
