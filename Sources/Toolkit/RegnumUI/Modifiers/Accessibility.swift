// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The modifier of everything that assistive technology is told.
nonisolated public struct AccessibilityAttachmentModifier: ViewModifier {
    /// Is never read.
    public typealias Body = Never
    let change: @MainActor (inout Element, Node) -> Void
}

extension AccessibilityAttachmentModifier: Modification {
    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { change(&output.elements[index], node) }
    }
}

extension View {
    /// What a modifier of accessibility makes of a view.
    public typealias _Accessible = ModifiedContent<Self, AccessibilityAttachmentModifier>

    nonisolated private func access(_ name: Element.AccessName, _ value: String?) -> _Accessible {
        modifier(AccessibilityAttachmentModifier { element, _ in element.access[name] = value })
    }
    nonisolated private func access(_ name: Element.AccessName, _ text: Text) -> _Accessible {
        nonisolated(unsafe) let text = text
        return modifier(
            AccessibilityAttachmentModifier { element, node in
                element.access[name] = text.runs(node).map(\.text).joined()
            })
    }

    /// Names the view for tests.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> _Accessible {
        access(.identifier, identifier)
    }
    /// Names the view for tests.
    nonisolated public func accessibility(identifier: String) -> _Accessible { access(.identifier, identifier) }
    /// Sets what is read instead of the view.
    nonisolated public func accessibilityLabel(_ label: Text) -> _Accessible { access(.label, label) }
    /// Sets what is read instead of the view.
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> _Accessible {
        access(.label, Text(labelKey))
    }
    /// Sets what is read instead of the view.
    @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> _Accessible
    where S: StringProtocol { access(.label, Text(label)) }
    /// Sets what is read instead of the view.
    nonisolated public func accessibility(label: Text) -> _Accessible { access(.label, label) }
    /// Sets the value that is read.
    nonisolated public func accessibilityValue(_ value: Text) -> _Accessible { access(.value, value) }
    /// Sets the value that is read.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> _Accessible {
        access(.value, Text(valueKey))
    }
    /// Sets the value that is read.
    @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> _Accessible
    where S: StringProtocol { access(.value, Text(value)) }
    /// Sets what is read of what the view does.
    nonisolated public func accessibilityHint(_ hint: Text) -> _Accessible { access(.hint, hint) }
    /// Sets what is read of what the view does.
    nonisolated public func accessibilityHint(_ hintKey: LocalizedStringKey) -> _Accessible {
        access(.hint, Text(hintKey))
    }
    /// Sets what is read of what the view does.
    @_disfavoredOverload nonisolated public func accessibilityHint<S>(_ hint: S) -> _Accessible
    where S: StringProtocol { access(.hint, Text(hint)) }
    /// Lets the view not be read.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> _Accessible {
        access(.hidden, hidden ? "true" : nil)
    }
    /// Lets the views below be read as one, or each for itself.
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> _Accessible {
        access(.combined, children.isCombined ? "true" : nil)
    }
    /// Says what the view is.
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> _Accessible {
        access(.traits, traits.names)
    }
    /// Runs an action when assistive technology activates the view.
    nonisolated public func accessibilityAction(_ handler: @escaping () -> Void) -> _Accessible {
        nonisolated(unsafe) let handler = handler
        return modifier(
            AccessibilityAttachmentModifier { element, node in
                if !element.actions.contains(.tap) { node.handle(.tap, of: &element) { _ in handler() } }
            })
    }
    /// Says what a pointer over the view is told.
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { access(.help, Text(textKey)) }

    nonisolated private func field(_ name: Element.AccessName, _ value: String?) -> some View {
        environmentChange { $0.fieldAttributes[name] = value }
    }

    /// Chooses the keyboard that a screen shows.
    nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { field(.inputMode, type.inputMode) }
    /// Says what a field is for.
    nonisolated public func textContentType(_ textContentType: UITextContentType?) -> some View {
        field(.autocomplete, textContentType?.rawValue)
    }
    /// Says what a keyboard on screen capitalizes.
    nonisolated public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View
    {
        field(.capitalization, autocapitalization?.css)
    }
    /// Says what a keyboard on screen capitalizes.
    nonisolated public func autocapitalization(_ style: UITextAutocapitalizationType) -> some View {
        field(.capitalization, style.css)
    }
    /// Lets nothing be corrected while the user types.
    nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        field(.correction, disable ? "off" : nil)
    }
    /// Lets nothing be corrected while the user types.
    nonisolated public func disableAutocorrection(_ disable: Bool?) -> some View {
        field(.correction, disable == true ? "off" : nil)
    }
    /// Says what the return key of a keyboard on screen says.
    nonisolated public func submitLabel(_ submitLabel: SubmitLabel) -> some View { field(.enterKey, submitLabel.css) }
}
