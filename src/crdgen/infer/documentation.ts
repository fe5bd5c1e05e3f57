// documentation.yaml: what a service's owner adds to the model's descriptions, or says instead.

import { didYouMean } from '#base'
import type { DocumentationConfig } from '../config/generator-config.ts'
import { fieldNamed } from './field-config.ts'
import { type Field, type FieldMap, leafOf, type TypeRegistry } from './field-type.ts'
import type { Findings } from './findings.ts'
import type { InferredKind } from './inferred-kind.ts'

interface Edit {
  readonly append?: string
  readonly prepend?: string
  readonly override?: string
}

export function documented(
  kinds: readonly InferredKind[],
  {
    documentation,
    types,
    findings,
  }: { readonly documentation: DocumentationConfig; readonly types: TypeRegistry; readonly findings: Findings },
): readonly InferredKind[] {
  const names = kinds.flatMap(({ kind, resource }) => [kind, resource])
  for (const name of documentation.resources?.keys() ?? []) {
    if (!names.includes(name)) findings.warn(`documentation: "${name}" is no kind${didYouMean(name, names)}`)
  }
  return kinds.map(kind => {
    const entry = documentation.resources?.get(kind.kind) ?? documentation.resources?.get(kind.resource)
    for (const [path, edit] of entry?.fields ?? []) editField(kind, { path, edit, types, findings })
    return entry?.note === undefined ? kind : { ...kind, documentation: edited(kind.documentation, { append: entry.note }) }
  })
}

function editField(
  kind: InferredKind,
  {
    path,
    edit,
    types,
    findings,
  }: { readonly path: string; readonly edit: Edit; readonly types: TypeRegistry; readonly findings: Findings },
): void {
  const [first = '', ...rest] = path.replace(/^(?:Spec|Status)\./i, '').split('.')
  let fields: FieldMap = fieldNamed(kind.spec, first) === undefined ? kind.status : kind.spec
  let field: Field | undefined = fieldNamed(fields, first)
  for (const step of rest) {
    const leaf = field === undefined ? undefined : leafOf(field.type)
    if (leaf?.kind !== 'structure') return findings.warn(`documentation: ${kind.kind} has no field "${path}"`)
    fields = types.fieldsOf(leaf.shape)
    field = fieldNamed(fields, step)
  }
  if (field === undefined) return findings.warn(`documentation: ${kind.kind} has no field "${path}"`)
  fields.set(field.names.camel, { ...field, documentation: edited(field.documentation, edit) })
}

function edited(html: string | undefined, { append, prepend, override }: Edit): string {
  if (override !== undefined) return paragraphs(override)
  return [prepend === undefined ? '' : paragraphs(prepend), html ?? '', append === undefined ? '' : paragraphs(append)].join('')
}

/** Plain text, as the models' descriptions are written: a text of the owner's is no markup. */
function paragraphs(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph}</p>`)
    .join('')
}
