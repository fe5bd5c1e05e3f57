// Selectors of a question about access: what is refused, and what is left out of the question because nobody can read it.
import { isRecord } from '#base'
import { labelValueErrors, parseFieldSelector, parseLabelSelector, qualifiedNameErrors } from '#kube'
import { type FieldError, fieldError } from '#schema'

type Attributes = Readonly<Record<string, unknown>>

/** A selector is given as text or as requirements. */
export function selectorErrors({ resourceAttributes: attributes }: Attributes): readonly FieldError[] {
  if (!isRecord(attributes)) return []
  return ['fieldSelector', 'labelSelector'].flatMap(name => {
    const selector = attributes[name]
    if (!isRecord(selector)) return []
    const at = `spec.resourceAttributes.${name}`
    const raw = rawOf(selector)
    const requirements = requirementsOf(selector)
    if (raw !== '' && requirements.length > 0)
      return [fieldError.invalid(`${at}.rawSelector`, raw, 'may not specified at the same time as requirements')]
    const why = `when ${at} is specified, requirements or rawSelector is required`
    if (raw === '' && requirements.length === 0) return [fieldError.required(`${at}.requirements`, why)]
    return requirements.flatMap((one, index) => requirementErrors(one, name, `${at}.requirements[${index}]`))
  })
}

function rawOf({ rawSelector }: Attributes): string {
  return typeof rawSelector === 'string' ? rawSelector : ''
}

function requirementsOf({ requirements }: Attributes): readonly Attributes[] {
  return Array.isArray(requirements) ? requirements.filter(isRecord) : []
}

function valuesOf({ values }: Attributes): readonly unknown[] {
  return Array.isArray(values) ? values : []
}

/** An operator that nobody knows is no reason to refuse: others may come. A key is named before the values of a field, after those of a label. */
function requirementErrors(requirement: Attributes, selector: string, at: string): readonly FieldError[] {
  const name = typeof requirement.key === 'string' ? requirement.key : ''
  const values = valuesOf(requirement)
  const counted = countErrors(requirement.operator, values.length, `${at}.values`)
  if (selector === 'fieldSelector')
    return [...(name === '' ? [fieldError.required(`${at}.key`, 'must be specified')] : []), ...counted]
  return [
    ...counted,
    ...qualifiedNameErrors(name).map(problem => fieldError.invalid(`${at}.key`, name, problem)),
    ...values.flatMap((value, index) => valueErrors(value, `${at}.values[${index}]`)),
  ]
}

function countErrors(operator: unknown, count: number, at: string): readonly FieldError[] {
  if ((operator === 'In' || operator === 'NotIn') && count === 0)
    return [fieldError.required(at, "must be specified when `operator` is 'In' or 'NotIn'")]
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
    return [fieldError.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  return []
}

function valueErrors(value: unknown, at: string): readonly FieldError[] {
  const text = typeof value === 'string' ? value : ''
  return labelValueErrors(text).map(problem => fieldError.invalid(at, text, problem))
}

/** A selector that cannot be read is left out of the question, and the answer says so. */
export function ignoredSelectors(attributes: Attributes): readonly string[] {
  return ['fieldSelector', 'labelSelector'].flatMap(name => {
    const selector = attributes[name]
    if (!isRecord(selector)) return []
    const [read, all] = rawOf(selector) === '' ? readable(selector, name) : [canParse(rawOf(selector), name) ? 1 : 0, 1]
    if (read === all) return []
    return [`spec.resourceAttributes.${name} ${read > 0 ? 'partially ' : ''}ignored due to parse error`]
  })
}

/** How many of how many requirements: fields can be compared with one value only. */
function readable(selector: Attributes, name: string): readonly [number, number] {
  const requirements = requirementsOf(selector)
  const isReadable = (one: Attributes): boolean => {
    const operator = String(one.operator)
    if (name === 'labelSelector') return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)
    return (operator === 'In' || operator === 'NotIn') && valuesOf(one).length === 1
  }
  return [requirements.filter(isReadable).length, requirements.length]
}

function canParse(text: string, name: string): boolean {
  try {
    if (name === 'labelSelector') parseLabelSelector(text)
    else parseFieldSelector(text)
    return true
  } catch {
    return false
  }
}
