#pragma once

#include <utility>

#include <vulkan/vulkan.h>

namespace threefold::render {

/// Owns one object of a VkDevice. Movable, may be empty. The device must outlive the handle;
/// destroy the handle only when the device no longer uses the object.
template <typename T, auto destroy>
class Handle {
  public:
    Handle() = default;
    Handle(VkDevice device, T object) : device_(device), object_(object) {}
    ~Handle() {
        if (object_ != VK_NULL_HANDLE) destroy(device_, object_, nullptr);
    }
    Handle(Handle&& other) noexcept
        : device_(other.device_), object_(std::exchange(other.object_, VK_NULL_HANDLE)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(object_, other.object_);
        return *this;
    }

    T get() const { return object_; }
    explicit operator bool() const { return object_ != VK_NULL_HANDLE; }

  private:
    VkDevice device_ = VK_NULL_HANDLE;
    T object_ = VK_NULL_HANDLE;
};

using BufferHandle = Handle<VkBuffer, vkDestroyBuffer>;
using ImageHandle = Handle<VkImage, vkDestroyImage>;
using ImageViewHandle = Handle<VkImageView, vkDestroyImageView>;
using SamplerHandle = Handle<VkSampler, vkDestroySampler>;
using ShaderModuleHandle = Handle<VkShaderModule, vkDestroyShaderModule>;
using RenderPassHandle = Handle<VkRenderPass, vkDestroyRenderPass>;
using FramebufferHandle = Handle<VkFramebuffer, vkDestroyFramebuffer>;
using PipelineHandle = Handle<VkPipeline, vkDestroyPipeline>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, vkDestroyPipelineLayout>;
using DescriptorSetLayoutHandle = Handle<VkDescriptorSetLayout, vkDestroyDescriptorSetLayout>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, vkDestroyDescriptorPool>;
using CommandPoolHandle = Handle<VkCommandPool, vkDestroyCommandPool>;
using FenceHandle = Handle<VkFence, vkDestroyFence>;
using SemaphoreHandle = Handle<VkSemaphore, vkDestroySemaphore>;
using SwapchainHandle = Handle<VkSwapchainKHR, vkDestroySwapchainKHR>;

}  // namespace threefold::render
