// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CSwiftRuntime

/// An accessor that was handed out and becomes the next one, if it was not kept. The owner of this holds the object.
///
/// To hand it out again is to add to one word what a retain adds to it. A retain as Swift makes it was a quarter of the
/// time of an iteration by the profile; this need not be atomic, because of an object that only its holder refers to no
/// other thread can count.
///
/// This holds no reference, which would count: a build that is not optimised copies what it looks at.
@frozen @usableFromInline
@safe struct RecyclableAccessor {
    @usableFromInline let object: Unmanaged<ObjectBase>
    /// The object's word of counts when only its holder referred to it in any way. A weak reference would show in it
    /// too: it must never lead to another object.
    @usableFromInline let soleCounts: UInt
    /// What one reference more adds to it.
    @usableFromInline let reference: UInt

    /// Takes the object that the caller has just made and holds; nil if others know it already, to which its
    /// initialiser may have given it.
    init?(_ object: inout ObjectBase) {
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) == 1 else { return nil }
        unsafe self.object = unsafe Unmanaged.passUnretained(object)
        let address = unsafe self.object.toOpaque()
        soleCounts = unsafe regnum_reference_counts(address)
        let retained = unsafe Unmanaged<ObjectBase>.fromOpaque(regnum_retain_alone(address))
        reference = unsafe regnum_reference_counts(address) &- soleCounts
        unsafe retained.release()
        // Where references are counted somewhere else, the word would tell nothing.
        guard reference != 0, unsafe regnum_reference_counts(address) == soleCounts else { return nil }
    }

    /// The object, if only its holder refers to it; nil otherwise.
    @inlinable @inline(__always) var unused: Unmanaged<ObjectBase>? {
        unsafe regnum_reference_counts(object.toOpaque()) == soleCounts ? object : nil
    }

    /// Hands out the object, which was `unused` just now, so that no other thread can retain it meanwhile.
    @inlinable @inline(__always)
    func vend() -> ObjectBase {
        unsafe regnum_add_reference(object.toOpaque(), reference)
        return unsafe object.takeRetainedValue()
    }
}
