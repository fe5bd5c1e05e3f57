// A label selector as the operand takes it on its command line: sorted by key; of one key, labels before expressions.
import { type LabelSelectorObject, labelValueErrors, qualifiedNameErrors } from '#kube'

/** Undefined: it selects everything, and no flag says so. An unusable one is `<error>`, which the operand refuses. */
export function renderLabelFilter(selector: LabelSelectorObject | null | undefined): string | undefined {
  const requirements = requirementsOf(selector)
  if (requirements.length === 0) return undefined
  if (labelFilterProblem(selector) !== undefined) return '<error>'
  return requirements
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(render)
    .join(',')
}

/** Why it is none; undefined when it is one. */
export function labelFilterProblem(selector: LabelSelectorObject | null | undefined): string | undefined {
  for (const { key, operator, values } of requirementsOf(selector)) {
    const wants = valuesWanted[operator]
    if (wants === undefined) return `"${operator}" is no operator of label selectors`
    const trouble = qualifiedNameErrors(key)[0] ?? values.flatMap(value => labelValueErrors(value))[0]
    if (trouble !== undefined) return `${key}: ${trouble}`
    if (wants === 'some' && values.length === 0) return `${key}: ${operator} needs a value`
    if (wants === 'none' && values.length > 0) return `${key}: ${operator} takes no value`
  }
  return undefined
}

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

const valuesWanted: Readonly<Record<string, 'one' | 'some' | 'none' | undefined>> = {
  '=': 'one',
  In: 'some',
  NotIn: 'some',
  Exists: 'none',
  DoesNotExist: 'none',
}

function requirementsOf(selector: LabelSelectorObject | null | undefined): readonly Requirement[] {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] }))
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values }) => ({
    key,
    operator,
    values: values ?? [],
  }))
  return [...labels, ...expressions]
}

function render({ key, operator, values }: Requirement): string {
  switch (operator) {
    case '=':
      return `${key}=${values[0] ?? ''}`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    default:
      return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.toSorted().join(',')})`
  }
}
