import { useMemo, useReducer } from 'react';
import { Segmented } from '@/components/ui/button';
import { Select } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { isRecord, type JsonPath } from '@/lib/json/edit';
import { accepts, branchStart } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { isGroup, useShownAsJson, ValueControl } from './field';
import { type ControlProps, FormProvider, type FormScope, useForm } from './form-context';
import { shownBranch } from './union-branches';

/** Most characters, over all labels, for branches shown as buttons. Longer labels become a select box. */
const ROW_CHARACTERS = 56;
/** Most branches shown as buttons. More become a select box. */
const ROW_BRANCHES = 5;

/** A union: a picker, and the input of the picked branch. The values of other branches are kept. */
export function UnionControl(props: ControlProps<'union'>) {
  const { view, value, path, label, id, readOnly = false } = props;
  const form = useForm();
  const { root, memory, change } = form;
  const [, render] = useReducer((count: number) => count + 1, 0);
  const branch = shownBranch(view, path, value, root, memory);
  const pick = (next: number) => {
    if (next === branch) return;
    if (value !== undefined) memory.keepDraft(view, path, branch, value);
    memory.chooseBranch(view, path, next);
    const kept = memory.keptDraft(view, path, next);
    const { marks } = view.branches[next]!;
    if (kept !== undefined) change(path, kept);
    // Unset stays unset, unless the branch has a discriminating value.
    else if (value !== undefined || marks.length > 0) change(path, branchStart(view, next, root));
    render();
  };
  const inner = useBranchView(view, branch);
  const branchForm = useBranchForm(form, props, branch);
  // In a group, the button that opens it has the field's id.
  const named = isGroup(view, root) && { id: `${id}-input`, accessibleName: visibleText(label) };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Picker union={view} branch={branch} label={label} readOnly={readOnly} onPick={pick} />
      {inner.kind === 'object' && inner.description !== undefined && (
        <p className="text-small whitespace-pre-line text-muted">
          <UntrustedText text={inner.description} limit={240} />
        </p>
      )}
      {/* Keyed by branch: each has its own state. */}
      <FormProvider value={branchForm}>
        <BranchControl key={branch} {...props} {...named} view={inner} />
      </FormProvider>
    </div>
  );
}

/**
 * Returns the form for the fields of a branch. The first value that is typed into an empty branch also sets the values
 * that distinguish it, such as `kind`.
 */
function useBranchForm(form: FormScope, { view, value, path }: ControlProps<'union'>, branch: number): FormScope {
  const { marks } = view.branches[branch]!;
  const isEmpty = value === undefined || (isRecord(value) && Object.keys(value).length === 0);
  return useMemo(() => {
    if (!isEmpty || marks.length === 0) return form;
    const start = (at: JsonPath) => {
      if (at.length > path.length) form.change(path, branchStart(view, branch, form.root));
    };
    return {
      ...form,
      edit: (edit) => {
        start(edit.path);
        form.edit(edit);
      },
      change: (at, next) => {
        if (next !== undefined) start(at);
        form.change(at, next);
      },
    };
  }, [form, isEmpty, marks, path, view, branch]);
}

/** The input of the picked branch. */
function BranchControl(props: ControlProps) {
  const { boxed, release } = useShownAsJson(props.view, props.value);
  return (
    <ValueControl
      {...props}
      boxed={boxed}
      onBlur={() => {
        release();
        props.onBlur();
      }}
    />
  );
}

/** Returns the view of a branch, with the union's default if that fits, and null if the union allows that. */
function useBranchView(union: View<'union'>, branch: number): View {
  const { root } = useForm();
  return useMemo(() => {
    const view = viewOf(union.branches[branch]!.schema, root);
    // A union inside a union is remembered by its own view.
    if (view.kind === 'union') return view;
    const ghost = union.default !== undefined && view.default === undefined && accepts(view, union.default.value);
    return { ...view, ...(ghost && { default: union.default }), nullable: view.nullable || union.nullable };
  }, [union, branch, root]);
}

interface PickerProps {
  readonly union: View<'union'>;
  readonly branch: number;
  readonly label: string;
  readonly readOnly: boolean;
  readonly onPick: (branch: number) => void;
}

function Picker({ union, branch, label, readOnly, onPick }: PickerProps) {
  const labels = union.branches.map((each) => visibleText(each.label.slice(0, 80)));
  const name = `Kind of ${visibleText(label)}`;
  if (readOnly) {
    return (
      <p className="text-small text-muted">
        <span className="sr-only">{name}: </span>
        {labels[branch]}
      </p>
    );
  }
  if (labels.length <= ROW_BRANCHES && labels.join('').length <= ROW_CHARACTERS) {
    return (
      <div className="flex min-h-7 items-center">
        <Segmented
          label={name}
          names={labels}
          chosen={labels[branch]!}
          onChoose={(chosen) => onPick(labels.indexOf(chosen))}
        />
      </div>
    );
  }
  return (
    <Select
      aria-label={name}
      value={String(branch)}
      onChange={(chosen) => onPick(Number(chosen))}
      options={labels.map((label, index) => ({ value: String(index), label }))}
      className="max-w-80"
    />
  );
}
