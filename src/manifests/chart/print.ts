// What was derived of an operator, as named templates of a chart. Each takes `(dict "root" . …)`; those that hand a value on print it as
// JSON, since templates know no other way.
import { dump } from 'js-yaml'
import { assertNever } from '#base'
import type { KubeObject } from '#kube'
import type { Mount, ShapingFlag } from '#runtime'
import { placeholders, variableName } from './conditions.ts'
import type { Conditional, DerivedChart, DerivedWebhook, DerivedWebhookRule, RuleScope, ScopedRule } from './derive.ts'

export interface PrintedOperator {
  readonly name: string
  readonly lease: string
  readonly shaping: readonly ShapingFlag[]
  readonly mounts: readonly Mount[]
  readonly derived: DerivedChart
  /** The value of a flag that a person's values do not name. */
  readonly otherwise: (flag: string) => string
}

/** The text of `templates/_NAME.tpl`. */
export function printOperator(operator: PrintedOperator): string {
  const { name, lease, mounts, derived } = operator
  return [
    `{{/* What the operator ${name} says of itself. Made by \`npm run charts\`; never edited. */}}\n`,
    define(name, 'lease', lease),
    define(name, 'variables', variables(operator)),
    define(name, 'mounts', `{{- $root := .root -}}\n${filled(JSON.stringify(mounts))}`),
    define(name, 'admits', admits(name, derived.webhooks)),
    define(name, 'suffixes', suffixes(name, derived.webhooks)),
    define(name, 'crds', crds(name, derived.crds)),
    define(name, 'rules', rules(name, derived.rules)),
    define(name, 'objects', objects(name, derived.objects)),
    define(name, 'webhooks', webhooks(name, derived)),
  ].join('\n')
}

/** Under which name a CRD stands among the files of the chart. */
export function crdFile({ part }: Conditional<KubeObject>, all: readonly Conditional<KubeObject>[]): string {
  const { name = '' } = part.metadata
  const same = all.filter(other => other.part.metadata.name === name)
  const index = same.findIndex(other => other.part === part)
  return index === 0 ? `${name}.yaml` : `${name}-${index + 1}.yaml`
}

function define(operator: string, what: string, body: string): string {
  return `{{- define "vouch.${operator}.${what}" -}}\n${body}\n{{- end -}}\n`
}

/** The body where the condition holds. */
function only(when: string, body: string): string {
  return when === 'true' ? body.replace(/^\{\{ (.*) \}\}$/, '{{- $1 -}}') : `{{- if ${when} }}${body}{{ end -}}`
}

const ofVariables = (name: string): string => `{{- $v := include "vouch.${name}.variables" . | fromJson -}}`

/** A flag that only `vouch render` can follow is refused: silence would be manifests that are wrong. */
function variables({ name, shaping, otherwise }: PrintedOperator): string {
  const lines = shaping.flatMap(flag => {
    const said = `(include "vouch.flag" (list .root "${name}" "${flag.flag}" "${otherwise(flag.flag)}"))`
    const set = (value: string, expression: string): string =>
      `{{- $_ := set $v "${variableName(flag.flag, value)}" ${expression} -}}`
    const words = `(splitList "," (nospace ${said}))`
    switch (flag.kind) {
      case 'choice':
        return flag.values.slice(1).map(value => set(value, `(eq ${said} "${value}")`))
      case 'list':
        return flag.items.map(item => set(item, `(has "${item}" ${words})`))
      case 'namespaces': {
        const some = `(ne ${said} "${flag.everywhere}")`
        return [set('some', some), set('many', `(and ${some} (gt (len ${words}) 1))`)]
      }
      case 'objects':
        return [set('all', `(eq ${said} "*")`)]
      case 'any':
        return [
          `{{- if ne ${said} "${otherwise(flag.flag)}" }}{{ fail "${name}: rights and kinds follow --${flag.flag}, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}`,
        ]
      default:
        return assertNever(flag)
    }
  })
  return ['{{- $v := dict -}}', ...lines, '{{- $v | toJson -}}'].join('\n')
}

function admits(name: string, all: DerivedChart['webhooks']): string {
  const found = all.map(({ when }) => only(when, 'yes'))
  return [ofVariables(name), ...found].join('\n')
}

/** What follows the name of the installation in the names of its configurations. */
function suffixes(name: string, all: DerivedChart['webhooks']): string {
  const lines = all.map(({ when, part }) => only(when, `{{ $names = append $names "${part.suffix}" }}`))
  return [ofVariables(name), '{{- $names := list -}}', ...lines, '{{- uniq $names | toJson -}}'].join('\n')
}

function crds(name: string, all: readonly Conditional<KubeObject>[]): string {
  const lines = all.map(each => only(each.when, `{{ $files = append $files "${crdFile(each, all)}" }}`))
  return [ofVariables(name), '{{- $files := list -}}', ...lines, '{{- $files | toJson -}}'].join('\n')
}

/** Joins the rules that differ only in their verb. */
function rules(name: string, all: readonly Conditional<ScopedRule>[]): string {
  const groups = new Map<string, { readonly rule: ScopedRule; readonly when: string; readonly verbs: string[] }>()
  for (const { when, part } of all) {
    const { verb, ...rest } = part
    const key = JSON.stringify([when, rest])
    const held = groups.get(key)
    if (held === undefined) groups.set(key, { rule: part, when, verbs: [verb] })
    else held.verbs.push(verb)
  }
  const lines = [...groups.values()].map(({ rule, when, verbs }) => only(when, addition(name, rule, verbs)))
  return ['{{- $roles := .roles -}}', '{{- $root := .root -}}', ofVariables(name), ...lines].join('\n')
}

function addition(operator: string, { scope, group, resource, names }: ScopedRule, verbs: readonly string[]): string {
  const list = (items: readonly string[]): string => `(list ${items.map(item => JSON.stringify(item)).join(' ')})`
  const rule = (named: string): string =>
    `(dict "apiGroups" ${list([group])} "resources" ${list([resource])} "verbs" ${list(verbs)}${named})`
  const named =
    names === undefined ? '' : ` "resourceNames" ${names[0] === placeholders.objectName ? '(list $name)' : list(names)}`
  const add = (namespace: string): string => `{{ include "vouch.add" (list $roles ${namespace} ${rule(named)}) }}`
  return loop(operator, scope, add)
}

/** Repeats the body for each namespace or object that a flag names, where the scope is a flag. */
function loop(operator: string, scope: RuleScope, body: (namespace: string) => string): string {
  switch (scope.kind) {
    case 'cluster':
      return body('""')
    case 'namespace':
      return body(scope.namespace === 'ph-namespace' ? '(include "vouch.namespace" $root)' : JSON.stringify(scope.namespace))
    case 'namespaces':
      return `{{ range $namespace := uniq ${words(operator, scope.flag)} }}${body('$namespace')}{{ end }}`
    case 'objects':
    case 'any-objects': {
      const isMeant = scope.kind === 'objects' ? 'ne' : 'eq'
      return `{{ range $object := ${words(operator, scope.flag)} }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if ${isMeant} $name "*" }}${body('$namespace')}{{ end }}{{ end }}{{ end }}`
    }
    default:
      return assertNever(scope)
  }
}

function words(operator: string, flag: string): string {
  return `(splitList "," (nospace (include "vouch.flag" (list $root "${operator}" "${flag}" ""))))`
}

function objects(name: string, all: readonly Conditional<KubeObject>[]): string {
  const printed = all.map(({ when, part }) => `{{- if ${when} }}\n---\n${filled(yaml(part))}{{- end }}`)
  return ['{{- $root := .root -}}', ofVariables(name), ...printed].join('\n')
}

function webhooks(name: string, { webhooks: all, webhookRules }: DerivedChart): string {
  const printed = all.map(({ when, part }) => `{{- if ${when} }}\n${configuration(name, part, webhookRules)}{{- end }}`)
  return ['{{- $root := .root -}}', ofVariables(name), ...printed].join('\n')
}

function configuration(
  operator: string,
  { suffix, configuration: object }: DerivedWebhook,
  ofRules: readonly Conditional<DerivedWebhookRule>[],
): string {
  const lists = object.webhooks.map(({ name }, index) => {
    const own = ofRules.filter(({ part }) => part.suffix === suffix && part.webhook === name)
    const lines = own.map(({ when, part }) =>
      only(when, `{{ $rules = append $rules (fromJson ${JSON.stringify(JSON.stringify(part.rule))}) }}`),
    )
    return ['{{- $rules := list -}}', ...lines, `{{- $rules${index} := $rules -}}`].join('\n')
  })
  const numbered = { ...object, webhooks: object.webhooks.map((webhook, index) => ({ ...webhook, rules: `ph-rules-${index}` })) }
  const text = filled(yaml(numbered))
    .replaceAll(/ph-rules-(\d+)/g, '{{ $rules$1 | toJson }}')
    .replaceAll('ph-webhook', `{{ include "vouch.fullname" $root }}-${suffix}`)
    .replaceAll('ph-service', '{{ include "vouch.fullname" $root }}-webhook')
    .replaceAll(
      'ph-user',
      `system:serviceaccount:{{ include "vouch.namespace" $root }}:{{ include "vouch.accountOf" (list $root "${operator}") }}`,
    )
  return `${lists.join('\n')}\n{{ "\\n---" }}\n${text}`
}

/** The placeholders of where it is installed, as what a template knows of that. */
function filled(text: string): string {
  const ca = Buffer.from('ph-ca').toString('base64')
  return text
    .replaceAll(
      /^( *)ph-label: .*$/gm,
      (_, indent: string) => `${indent.slice(2)}  {{- include "vouch.labels" $root | nindent ${indent.length} }}`,
    )
    .replaceAll(
      /^ *annotations:\n *ph-annotation: .*\n/gm,
      '{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}\n',
    )
    .replaceAll(new RegExp(`^ *caBundle: ${ca}$`, 'gm'), '{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}')
    .replaceAll(/'[^'\n]*ph-file-([a-z-]+)[^'\n]*'/g, '{{ include "vouch.file" (list $root "$1") | toJson }}')
    .replaceAll('ph-namespace', '{{ include "vouch.namespace" $root }}')
    .replaceAll('ph-name', '{{ include "vouch.fullname" $root }}')
}

/** Braces in texts, such as those of alerts, are no instructions to Helm. */
function yaml(object: object): string {
  return dump(object, { lineWidth: -1, noRefs: true }).replaceAll('{{', '{{ "{{" }}')
}
