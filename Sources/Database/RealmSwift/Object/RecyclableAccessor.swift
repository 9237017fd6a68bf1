// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CSwiftRuntime

/// An accessor that was returned to the caller and is reused if the caller didn't retain it. The owner of this retains
/// the object.
///
/// This contains no reference, which would be counted: unoptimised builds copy the values they read.
@frozen @usableFromInline
@safe struct RecyclableAccessor {
    @usableFromInline let object: Unmanaged<ObjectBase>
    /// The word of the object's reference counts while only its owner references it. One comparison with it replaces
    /// three calls of the runtime, with which an iteration takes twice as long.
    @usableFromInline let soleCounts: UInt

    /// Wraps the object that the caller has just created and retains; nil if its initialiser has passed it to others.
    init?(_ object: inout ObjectBase) {
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) == 1, _getUnownedRetainCount(object) == 1
        else { return nil }
        unsafe self.object = unsafe Unmanaged.passUnretained(object)
        soleCounts = unsafe regnum_reference_counts(self.object.toOpaque())
    }

    /// The object, if only its owner references it; nil otherwise. An unowned or weak reference prevents reuse too: it
    /// must never lead to another row.
    @inlinable @inline(__always) var unused: Unmanaged<ObjectBase>? {
        guard unsafe regnum_reference_counts(object.toOpaque()) == soleCounts else { return nil }
        assert(isUnreferenced, "An accessor that is in use would be reused.")
        return unsafe object
    }

    /// The runtime's counts, with which debug builds verify the word.
    @usableFromInline var isUnreferenced: Bool {
        var reference = unsafe object
        let isUnique = unsafe withUnsafeMutablePointer(to: &reference) { address in
            unsafe address.withMemoryRebound(to: ObjectBase.self, capacity: 1) {
                unsafe isKnownUniquelyReferenced(&$0.pointee)
            }
        }
        return unsafe isUnique
            && object._withUnsafeGuaranteedRef { _getWeakRetainCount($0) == 1 && _getUnownedRetainCount($0) == 1 }
    }

    /// Returns the object, which was `unused` just before, so that no other thread can retain it in the meantime. With
    /// an atomic retain, an iteration takes 1.6 times as long.
    @inlinable @inline(__always)
    func vend() -> ObjectBase {
        unsafe Unmanaged<ObjectBase>.fromOpaque(regnum_retain_alone(object.toOpaque())).takeRetainedValue()
    }
}
