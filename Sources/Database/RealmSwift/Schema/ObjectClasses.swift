// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(ObjectiveC)
    import ObjectiveC
#endif

enum ObjectClasses {
    /// Returns all subclasses of `ObjectBase` in the loaded images that aren't generic, unordered.
    ///
    /// A class that isn't found here is added by `ClassRegistry` at its first use.
    static func all() -> [ObjectBase.Type] {
        #if canImport(ObjectiveC)
            return registeredClasses()
        #else
            return MetadataSections.all().flatMap { $0.classes(below: ObjectBase.self) }
                .compactMap { $0 as? ObjectBase.Type }
        #endif
    }

    /// Changes when an image is loaded.
    static var imageCount: Int {
        #if canImport(ObjectiveC)
            return Int(objc_getClassList(nil, 0))
        #else
            return MetadataSections.all().count
        #endif
    }

    #if canImport(ObjectiveC)
        private static func registeredClasses() -> [ObjectBase.Type] {
            var count: UInt32 = 0
            guard let list = unsafe objc_copyClassList(&count) else { return [] }
            defer { unsafe free(UnsafeMutableRawPointer(list)) }
            return (0..<Int(count)).compactMap { position in
                var ancestor: AnyClass? = list[position]
                while let current = ancestor, current != ObjectBase.self { ancestor = class_getSuperclass(current) }
                return ancestor == nil ? nil : list[position] as? ObjectBase.Type
            }
        }
    #endif
}
