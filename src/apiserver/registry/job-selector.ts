// A new job finds its pods by a label with its own uid, which nobody else can have; who wants to choose says `manualSelector`.
import { isRecord } from '#base'
import { type Draft } from '../draft.ts'

const uidLabel = 'batch.kubernetes.io/controller-uid'
const nameLabel = 'batch.kubernetes.io/job-name'
/** The labels had no prefix once, and programs still look for those. */
const formerUidLabel = 'controller-uid'
const formerNameLabel = 'job-name'

/** What the author has set stays; validation says when it does not fit. */
export function prepareJob(draft: Draft): void {
  if (!isRecord(draft.spec) || draft.spec.manualSelector === true) return
  const { uid = '', name = '' } = draft.metadata
  const selector = isRecord(draft.spec.selector) ? draft.spec.selector : {}
  const template = isRecord(draft.spec.template) ? draft.spec.template : {}
  const metadata = isRecord(template.metadata) ? template.metadata : {}
  const generated = { [uidLabel]: uid, [nameLabel]: name, [formerUidLabel]: uid, [formerNameLabel]: name }
  const labels: Record<string, string> = { ...generated, ...textsOf(metadata.labels) }
  // Those that it has from its pods, for want of its own, are the very same, and grow with them.
  if (metadata.labels !== undefined && draft.metadata.labels === metadata.labels) draft.metadata.labels = labels
  draft.spec = {
    ...draft.spec,
    selector: { ...selector, matchLabels: { [uidLabel]: uid, ...textsOf(selector.matchLabels) } },
    template: { ...template, metadata: { ...metadata, labels } },
  }
}

function textsOf(labels: unknown): Record<string, string> {
  return isRecord(labels) ? (labels as Record<string, string>) : {}
}
