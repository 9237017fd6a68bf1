// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(ObjectiveC)
    @_silgen_name("swift_enumerateAllMetadataSections")
    private func swiftEnumerateAllMetadataSections(
        _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool, _ context: UnsafeMutableRawPointer)

    /// The type records of one loaded image, in the compiler's section `swift5_type_metadata`.
    ///
    /// The layouts read here are part of Swift's stable ABI (`MetadataSections`, `TypeMetadataRecord`,
    /// `TypeContextDescriptor`, `ClassMetadata`).
    @safe struct MetadataSections {
        private let records: UnsafeRawPointer?
        private let byteCount: Int

        static func all() -> [MetadataSections] {
            var sections: [MetadataSections] = []
            unsafe withUnsafeMutablePointer(to: &sections) { pointer in
                unsafe swiftEnumerateAllMetadataSections(
                    { header, context in
                        unsafe context.assumingMemoryBound(to: [MetadataSections].self).pointee
                            .append(MetadataSections(header: header))
                        return true
                    }, UnsafeMutableRawPointer(pointer))
            }
            return sections
        }

        /// The header has four words, followed by start and length of each section; the third section contains the
        /// types.
        private init(header: UnsafeRawPointer) {
            let words = unsafe header.assumingMemoryBound(to: UInt.self)
            unsafe records = unsafe UnsafeRawPointer(bitPattern: words[8])
            byteCount = unsafe Int(words[9])
        }

        /// Generic classes are omitted.
        func classes(below root: AnyClass) -> [AnyClass] {
            guard let records = unsafe records, let root = TypeDescriptor(of: root) else { return [] }
            return stride(from: 0, to: byteCount, by: 4).compactMap { position in
                guard let type = unsafe TypeDescriptor(record: records + position), type.descends(from: root) else {
                    return nil
                }
                return type.metadata as? AnyClass
            }
        }
    }

    @safe private struct TypeDescriptor: Equatable {
        let address: UnsafeRawPointer

        static func == (lhs: TypeDescriptor, rhs: TypeDescriptor) -> Bool { unsafe lhs.address == rhs.address }

        private static let classKind: UInt32 = 16
        private static let genericFlag: UInt32 = 0x80

        init(address: UnsafeRawPointer) {
            unsafe self.address = unsafe address
        }

        /// The class metadata contains it in the sixth word.
        init?(of objectClass: AnyClass) {
            let metadata = unsafe unsafeBitCast(objectClass, to: UnsafePointer<UnsafeRawPointer?>.self)
            guard let address = unsafe metadata[5] else { return nil }
            unsafe self.init(address: address)
        }

        /// The low two bits of a record indicate whether it points to the descriptor or to a pointer to it.
        init?(record: UnsafeRawPointer) {
            let offset = unsafe Int(record.load(as: Int32.self))
            let target = unsafe record + (offset & ~3)
            switch offset & 3 {
            case 0: unsafe self.init(address: target)
            case 1:
                guard let address = unsafe target.load(as: UnsafeRawPointer?.self) else { return nil }
                unsafe self.init(address: address)
            default: return nil
            }
        }

        private var flags: UInt32 { unsafe address.load(as: UInt32.self) }

        private var isClass: Bool { flags & 0x1F == Self.classKind }

        /// The type is instantiated at its first use. Not for generic types.
        var metadata: Any.Type {
            typealias Accessor = @convention(c) (_ request: Int) -> UnsafeRawPointer
            let accessor = unsafe unsafeBitCast(follow(fieldAt: 12), to: Accessor.self)
            return unsafe unsafeBitCast(accessor(0), to: Any.Type.self)
        }

        /// Whether this is a class that inherits from `root` and isn't generic. Doesn't instantiate any class, because
        /// images contain thousands.
        func descends(from root: TypeDescriptor) -> Bool {
            guard isClass, flags & Self.genericFlag == 0 else { return false }
            var ancestor = superclass
            while let current = ancestor {
                if current == root { return true }
                ancestor = current.superclass
            }
            return false
        }

        /// The name of the superclass is a reference in binary form: one byte of kind, then a relative pointer to the
        /// descriptor or to a pointer to it.
        private var superclass: TypeDescriptor? {
            guard isClass, let name = unsafe follow(fieldAt: 20) else { return nil }
            let target = unsafe name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
            switch unsafe name.load(as: UInt8.self) {
            case 1: return unsafe TypeDescriptor(address: target)
            case 2: return unsafe target.load(as: UnsafeRawPointer?.self).map(TypeDescriptor.init(address:))
            default: return nil
            }
        }

        private func follow(fieldAt position: Int) -> UnsafeRawPointer? {
            let offset = unsafe Int((address + position).load(as: Int32.self))
            return unsafe offset == 0 ? nil : address + position + offset
        }
    }
#endif
