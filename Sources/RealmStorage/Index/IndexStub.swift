package struct SearchIndex {
  package init(_ space: NodeSpace, root: Ref) {}
  package func keys(equalTo value: StoredValue, valueOf: (ObjectKey) throws -> StoredValue?) throws -> [ObjectKey] { [] }
  package func first(equalTo value: StoredValue, valueOf: (ObjectKey) throws -> StoredValue?) throws -> ObjectKey? { nil }
}
extension NodeStore {
  package func indexCreate() throws -> Ref { 0 }
  package func indexInsert(_ root: inout Ref, _ value: StoredValue, _ key: ObjectKey, valueOf: (ObjectKey) throws -> StoredValue) throws {}
  package func indexErase(_ root: inout Ref, _ value: StoredValue, _ key: ObjectKey, valueOf: (ObjectKey) throws -> StoredValue) throws {}
  package func indexFree(_ root: Ref) throws {}
}
extension NodeStore {
  package func wordIndexInsert(_ root: inout Ref, word: [UInt8]?, _ key: ObjectKey) throws {}
  package func wordIndexErase(_ root: inout Ref, word: [UInt8]?, _ key: ObjectKey) throws {}
}
extension SearchIndex { package func distinctCount() throws -> Int { 0 } }
