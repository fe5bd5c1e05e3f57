// Parts of the room's model of a kind, for tests of whole services that stand outside of the room.
export { tagCalls } from '../kinds/tag-calls.ts'
export { answerOf, showsTags, tagListOperation } from '../model/answer.ts'
export { type KindModel, kindModel } from '../model/kind-model.ts'
