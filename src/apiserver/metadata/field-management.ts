// Who owns which field: the verbs' view of managedFields. See apply/ for the algorithm.
import type { Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import type { WriteOptions } from '../verbs/options.ts'

export interface FieldManagement {
  /** The new object with managedFields: everything in it belongs to the manager of the request. */
  trackCreate(call: ResourceCall, draft: Draft, options: WriteOptions): Draft
  trackUpdate(call: ResourceCall, live: Readonly<Draft>, draft: Draft, options: WriteOptions): Draft
}

export const noFieldManagement: FieldManagement = {
  trackCreate: (_call, draft) => draft,
  trackUpdate: (_call, live, draft) => {
    if (live.metadata.managedFields === undefined) delete draft.metadata.managedFields
    else draft.metadata.managedFields = live.metadata.managedFields
    return draft
  },
}
