// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(ObjectiveC)
    @_silgen_name("swift_enumerateAllMetadataSections")
    private func swiftEnumerateAllMetadataSections(
        _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool, _ context: UnsafeMutableRawPointer)

    /// The type records of one loaded image, as the compiler left them in its section `swift5_type_metadata`.
    ///
    /// The layouts read here are part of Swift's stable ABI (`MetadataSections`, `TypeMetadataRecord`,
    /// `TypeContextDescriptor`, `ClassMetadata`).
    struct MetadataSections {
        /// Relative pointers of 32 bits to the descriptors of the image's types.
        private let records: UnsafeRawPointer?
        private let byteCount: Int

        static func all() -> [MetadataSections] {
            var sections: [MetadataSections] = []
            withUnsafeMutablePointer(to: &sections) { pointer in
                swiftEnumerateAllMetadataSections(
                    { header, context in
                        context.assumingMemoryBound(to: [MetadataSections].self).pointee
                            .append(MetadataSections(header: header))
                        return true
                    }, UnsafeMutableRawPointer(pointer))
            }
            return sections
        }

        /// Four words come first, then start and length of each section; the third is that of the types.
        private init(header: UnsafeRawPointer) {
            let words = header.assumingMemoryBound(to: UInt.self)
            records = UnsafeRawPointer(bitPattern: words[8])
            byteCount = Int(words[9])
        }

        /// The classes of the image that descend from `root` and are not generic.
        func classes(below root: AnyClass) -> [AnyClass] {
            guard let records, let root = TypeDescriptor(of: root) else { return [] }
            return stride(from: 0, to: byteCount, by: 4).compactMap { position in
                guard let type = TypeDescriptor(record: records + position), type.descends(from: root) else {
                    return nil
                }
                return type.metadata as? AnyClass
            }
        }
    }

    /// The descriptor that the compiler emits once per type.
    private struct TypeDescriptor: Equatable {
        let address: UnsafeRawPointer

        private static let classKind: UInt32 = 16
        private static let genericFlag: UInt32 = 0x80

        init(address: UnsafeRawPointer) {
            self.address = address
        }

        /// The descriptor of a class that exists already. Its metadata has it in the sixth word.
        init?(of objectClass: AnyClass) {
            let metadata = unsafeBitCast(objectClass, to: UnsafePointer<UnsafeRawPointer?>.self)
            guard let address = metadata[5] else { return nil }
            self.init(address: address)
        }

        /// The low two bits of a record say whether it leads to the descriptor or to a pointer to it.
        init?(record: UnsafeRawPointer) {
            let offset = Int(record.load(as: Int32.self))
            let target = record + (offset & ~3)
            switch offset & 3 {
            case 0: self.init(address: target)
            case 1:
                guard let address = target.load(as: UnsafeRawPointer?.self) else { return nil }
                self.init(address: address)
            default: return nil
            }
        }

        private var flags: UInt32 { address.load(as: UInt32.self) }

        private var isClass: Bool { flags & 0x1F == Self.classKind }

        /// The type itself, made if this is its first use. Not for generic types.
        var metadata: Any.Type {
            typealias Accessor = @convention(c) (_ request: Int) -> UnsafeRawPointer
            let accessor = unsafeBitCast(follow(fieldAt: 12), to: Accessor.self)
            return unsafeBitCast(accessor(0), to: Any.Type.self)
        }

        /// Whether this is a class below `root` and not generic. Decided without making any class, because images hold
        /// thousands.
        func descends(from root: TypeDescriptor) -> Bool {
            guard isClass, flags & Self.genericFlag == 0 else { return false }
            var ancestor = superclass
            while let current = ancestor {
                if current == root { return true }
                ancestor = current.superclass
            }
            return false
        }

        /// The class above, whose name is a reference in binary form: one byte of kind, then a relative pointer to the
        /// descriptor or to a pointer to it.
        private var superclass: TypeDescriptor? {
            guard isClass, let name = follow(fieldAt: 20) else { return nil }
            let target = name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
            switch name.load(as: UInt8.self) {
            case 1: return TypeDescriptor(address: target)
            case 2: return target.load(as: UnsafeRawPointer?.self).map(TypeDescriptor.init(address:))
            default: return nil
            }
        }

        private func follow(fieldAt position: Int) -> UnsafeRawPointer? {
            let offset = Int((address + position).load(as: Int32.self))
            return offset == 0 ? nil : address + position + offset
        }
    }
#endif
