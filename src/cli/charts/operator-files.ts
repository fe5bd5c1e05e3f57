// What a chart has of an operator: named templates of what it needs under which values, and its CRDs.
import { dump } from 'js-yaml'
import type { CustomResourceDefinition } from '#kube'
import { crdFile, deriveChart, keptByHelm, place, printFlagChecks, printOperator } from '#manifests'
import type { Operator } from '#runtime'
import { readOperatorFlags, settingsOf } from '../operator/flags.ts'

/** A file of a chart, by its path in it. */
export type NamedText = readonly [path: string, text: string]

export async function operatorFiles(operator: Operator): Promise<readonly NamedText[]> {
  const { name, lease, shaping = [], required = [], flags } = operator
  const needed = required.map(({ flag, sample }) => `--${flag}=${sample}`)
  const ask: Parameters<typeof deriveChart>[2] = async (args, at) => {
    const settings = readOperatorFlags([`--controllers=${name}`, ...needed, ...args], {})
    return operator.describe(settingsOf(settings, operator), at)
  }
  const derived = await deriveChart(shaping, [], ask)
  const sample = await ask(
    shaping.filter(({ kind }) => kind !== 'any').map(flag => `--${flag.flag}=${sampleOf(flag)}`),
    place,
  )
  const all = flags.flatMap(group => group.flags)
  const otherwise = (flag: string): string => all.find(each => each.name === flag)?.otherwise ?? ''
  return [
    [
      `templates/_${name}.tpl`,
      `${printOperator({ name, lease, shaping, mounts: sample.mounts, derived, otherwise })}\n${printFlagChecks(operator, otherwise)}`,
    ],
    ...derived.crds.map(
      (crd): NamedText => [
        `files/crds/${crdFile(crd, derived.crds)}`,
        dump(keptByHelm(crd.part as CustomResourceDefinition), { lineWidth: -1, noRefs: true }),
      ],
    ),
  ]
}

function sampleOf(flag: NonNullable<Operator['shaping']>[number]): string {
  if (flag.kind === 'choice') return flag.values[0] ?? ''
  if (flag.kind === 'list') return flag.items.join(',')
  return flag.kind === 'namespaces' ? flag.everywhere : ''
}
