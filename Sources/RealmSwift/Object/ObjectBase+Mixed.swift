// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Reads of mixed properties.
extension ObjectBase {
    final func _mixed(_ key: PropertyKey) -> AnyRealmValue {
        if let node = _column(key), let state = _rlmRow.state {
            if let value = commonMixed(node, state) { return value }
            if let value = try? MixedLeaf(state.pointee.space, node).value(at: _rlmRow.row),
                let plain = AnyRealmValue.plain(value)
            {
                return plain
            }
        }
        guard let realm = _rlmRow.realm else {
            probe?.record(self, key)
            return .none
        }
        let value = storedValue(key)
        if let owner = RowAnchor(self), let nested = AnyRealmValue.nested(value, of: owner, key) { return nested }
        return AnyRealmValue._make(_StoredElement(value: value, realm: realm)) ?? .none
    }

    /// A number, a truth value, or a text or bytes that are short, read where it lies in the leaf at `root` (content
    /// 6.14); nil for any other value, and for whatever is not as it should be.
    @inline(__always) private final func commonMixed(_ root: Node, _ state: UnsafeMutablePointer<ReadState>)
        -> AnyRealmValue?
    {
        guard MixedLeaf.mayBegin(at: root), let descriptors = state.child(0, of: root.payload, root.header),
            descriptors.isPlain, _rlmRow.row < descriptors.count
        else { return nil }
        let descriptor = MixedDescriptor(rawValue: descriptors[_rlmRow.row])
        switch (descriptor.type, descriptor.payload) {
        case (.int, .inline): return .int(Int(descriptor.number))
        case (.bool, .inline): return .bool(descriptor.number != 0)
        case (.int, .ints):
            return number(descriptor, root, state).map { .int(Int($0)) }
        case (.double, .ints):
            guard let bits = number(descriptor, root, state).map(UInt64.init(bitPattern:)), bits != FloatingNull.double
            else { return nil }
            return .double(Double(bitPattern: bits))
        case (.string, .strings):
            let isKnown = state.pointee.knowsSmallStrings
            return strings(descriptor, root, state)?.shortText(Int(descriptor.number), isKnown: isKnown)
                .map { .string($0) }
        case (.binary, .strings):
            guard let bytes = strings(descriptor, root, state)?.shortBytes(Int(descriptor.number)),
                let start = bytes.baseAddress
            else { return nil }
            return .data(Data(bytes: start, count: bytes.count))
        default: return nil
        }
    }

    private final func number(
        _ descriptor: MixedDescriptor, _ root: Node, _ state: UnsafeMutablePointer<ReadState>
    ) -> Int64? {
        guard let numbers = state.child(FileFormat.Mixed.ints, of: root.payload, root.header), numbers.isPlain,
            UInt64(bitPattern: descriptor.number) < UInt64(numbers.count)
        else { return nil }
        return numbers[Int(descriptor.number)]
    }

    /// The leaf of texts and bytes, if it has what the descriptor names.
    private final func strings(
        _ descriptor: MixedDescriptor, _ root: Node, _ state: UnsafeMutablePointer<ReadState>
    ) -> Node? {
        guard let strings = state.child(FileFormat.Mixed.strings, of: root.payload, root.header),
            UInt64(bitPattern: descriptor.number) < UInt64(strings.count)
        else { return nil }
        return strings
    }
}
