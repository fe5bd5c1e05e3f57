// What requests about a pod share: an answer that says no more than that it was done.
import type { Reply } from '../http/call.ts'

export function success(code: number): Reply {
  return { type: 'value', code, value: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code } }
}
