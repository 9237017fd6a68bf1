// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension ObjectBase {
    final func _mixed(_ key: PropertyKey) -> AnyRealmValue {
        if let node = column(key), let state = _rlmRow.state {
            if let value = unsafe commonMixed(node, state) { return value }
            if let value = try? unsafe MixedLeaf(state.pointee.space, node).value(at: _rlmRow.row),
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
        if let owner = OwnerReference(self), let nested = AnyRealmValue.nested(value, of: owner, key) { return nested }
        return AnyRealmValue._make(_StoredElement(value: value, realm: realm)) ?? .none
    }

    /// Returns a number, a Boolean, or a short string or data, read directly from the leaf at `root` (content 6.14);
    /// nil for any other value, and for unexpected contents.
    @inline(__always) private final func commonMixed(_ root: Node, _ state: UnsafeMutablePointer<ReadState>)
        -> AnyRealmValue?
    {
        guard MixedLeaf.mayBegin(at: root), let descriptors = unsafe state.child(0, of: root.payload, root.header),
            descriptors.isPlain, _rlmRow.row < descriptors.count
        else { return nil }
        let descriptor = MixedDescriptor(rawValue: descriptors.inlinedElement(_rlmRow.row))
        // Values of varying types cost one unpredictable branch, on the type's code as stored.
        switch descriptor.typeCode {
        case MixedDescriptor.code(of: .int):
            if descriptor.isIn(.inline) { return .int(Int(descriptor.number)) }
            return unsafe number(descriptor, root, state).map { .int(Int($0)) }
        case MixedDescriptor.code(of: .bool):
            return descriptor.isIn(.inline) ? .bool(descriptor.number != 0) : nil
        case MixedDescriptor.code(of: .double):
            guard let bits = unsafe number(descriptor, root, state).map(UInt64.init(bitPattern:)),
                bits != FloatingNull.double
            else { return nil }
            return .double(Double(bitPattern: bits))
        case MixedDescriptor.code(of: .string):
            let isKnown = unsafe state.pointee.readsSmallStrings
            return unsafe strings(descriptor, root, state)?.shortText(Int(descriptor.number), isKnown: isKnown)
                .map { .string($0) }
        case MixedDescriptor.code(of: .binary):
            guard let bytes = unsafe strings(descriptor, root, state)?.shortBytes(Int(descriptor.number)),
                let start = bytes.baseAddress
            else { return nil }
            return unsafe .data(Data(bytes: start, count: bytes.count))
        default: return nil
        }
    }

    @inline(__always) private final func number(
        _ descriptor: MixedDescriptor, _ root: Node, _ state: UnsafeMutablePointer<ReadState>
    ) -> Int64? {
        guard descriptor.isIn(.ints),
            let numbers = unsafe state.child(FileFormat.Mixed.ints, of: root.payload, root.header),
            numbers.isPlain, UInt64(bitPattern: descriptor.number) < UInt64(numbers.count)
        else { return nil }
        return numbers.inlinedElement(Int(descriptor.number))
    }

    /// Returns the leaf of strings and data, if it contains the element that the descriptor refers to.
    @inline(__always) private final func strings(
        _ descriptor: MixedDescriptor, _ root: Node, _ state: UnsafeMutablePointer<ReadState>
    ) -> Node? {
        guard descriptor.isIn(.strings),
            let strings = unsafe state.child(FileFormat.Mixed.strings, of: root.payload, root.header),
            UInt64(bitPattern: descriptor.number) < UInt64(strings.count)
        else { return nil }
        return strings
    }
}
